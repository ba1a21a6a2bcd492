/** The languages of the widget. To add one, write its file and add its line. */
import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';

export const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr, es, pt, pl, it, nl, ar };
