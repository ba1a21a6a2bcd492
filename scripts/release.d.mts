/** Types of release.mjs for the tests. */
export function notesOf(changelog: string, wanted: string): { date: string; text: string };
export const INSTALLATIONS: Record<string, object>;
