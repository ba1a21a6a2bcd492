/** `all codes` → `All codes` */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `All codes` → `all codes` */
export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
