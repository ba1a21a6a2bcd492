/** An error that its message explains fully: the command line prints no stack trace. */
export class ExpectedError extends Error {}
