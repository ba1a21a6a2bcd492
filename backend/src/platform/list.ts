/** `Germany, France and Spain` */
export const LIST = new Intl.ListFormat('en-GB');
