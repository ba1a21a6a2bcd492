/**
 * Returns the name of the operator command, as it works here: npm sets `npm_lifecycle_event`. Without npm, such as in
 * the Docker image, `passbell` is on the PATH.
 */
export const operatorCommand = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === undefined ? 'passbell' : 'npm run --silent passbell --';
