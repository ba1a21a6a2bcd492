/**
 * Renders all emails with the layout in `assets/email`. It uses tables and inline styles, because email clients support
 * little else; `email-branding.ts` replaces its comments and its accent color.
 */
import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import { BACKEND_FOLDER } from '../../../platform/folders.js';
import type { Language } from './language.js';
import { escapeHtml } from './text.js';

export interface LabeledValue {
  readonly label: string;
  readonly value: string;
}

/** The parts of an email from top to bottom, as plain text. */
interface EmailParts {
  readonly language: Pick<Language, 'code' | 'direction'>;
  readonly application: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly code?: string;
  readonly advice?: string;
  readonly facts?: readonly LabeledValue[];
  /** http or https URLs. The first link is shown as a button. */
  readonly links?: readonly LabeledValue[];
  readonly note?: string;
}

const outputEscape = (value: unknown) => escapeHtml(String(value ?? ''));
const engine = new Liquid({ outputEscape, ownPropertyOnly: true, templates: {} });
const layout = engine.parse(readFileSync(new URL('assets/email/layout.liquid', BACKEND_FOLDER), 'utf8'));

export const emailHtml = (parts: EmailParts): string => engine.renderSync(layout, parts) as string;
