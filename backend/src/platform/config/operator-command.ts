/** How to call the operator command, as npm runs it in a checkout. The guides contain this form. */
const NPM_COMMAND = 'npm run --silent passbell --';

/** How to call the operator command if Docker Compose runs Passbell. The Dockerfile contains the same text. */
export const DOCKER_COMMAND = 'docker compose exec api passbell';

/**
 * Returns how people call the operator command here. The Docker image sets `PASSBELL_COMMAND`, because a command on the
 * host would use other settings than the containers, and not find their database.
 */
export const operatorCommand = (env: NodeJS.ProcessEnv = process.env): string => env.PASSBELL_COMMAND || NPM_COMMAND;

/** Replaces the operator command in a guide or a notice, unless npm runs it here as well. */
export function withOperatorCommand(text: string): string {
  const command = operatorCommand();
  if (command === NPM_COMMAND) return text;
  return text.replaceAll(NPM_COMMAND, command).replace(/`passbell (?=[a-z])/g, () => `\`${command} `);
}
