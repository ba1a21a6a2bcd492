/** A style sheet as its text, which is how `build.mjs` brings it in. */
declare module '*.css' {
  const text: string;
  export default text;
}
