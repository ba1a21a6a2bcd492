/** Whether this is the id of a provider of the environment settings. */
export const isEnvironmentId = (id: string): boolean => id.startsWith('environment-');
