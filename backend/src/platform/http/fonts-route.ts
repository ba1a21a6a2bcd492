/** `GET /fonts/…`: the font of the dashboard and the documentation, which load nothing from other hosts. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { type RequestHandler } from 'express';

const FILE = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

/** The file that every page needs. */
export const MAIN_FONT_PATH = '/fonts/inter-latin-wght-normal.woff2';

/** The URLs contain no hash, but the files hardly ever change. */
export const fontsRoute = (): RequestHandler => express.static(dirname(FILE), { index: false, maxAge: '30 days' });
