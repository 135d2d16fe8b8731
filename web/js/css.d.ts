/** A style sheet's text: the bundler makes a module of it. */
declare module "*.css" {
    const text: string;
    export default text;
}
