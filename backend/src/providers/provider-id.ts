/** Whether the id belongs to a provider configured by environment variables. */
export const isEnvironmentId = (id: string): boolean => id.startsWith('environment-');
