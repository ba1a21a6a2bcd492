/** `GET /downloads/…`: the packages of the clients, with or without the version in the name. */
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import { DOWNLOADS_FOLDER, listDownloads } from './downloads.js';

export function downloadsRoutes(): Router {
  const router = Router();
  const packages = listDownloads();
  const files = new Set(packages.values());
  router.get('/downloads/:name', async (request, response, next) => {
    const { name } = request.params;
    const file = packages.get(name) ?? (files.has(name) ? name : undefined);
    if (file === undefined) return next();
    response.set('Cache-Control', 'no-cache').attachment(file);
    response.send(await readFile(new URL(file, DOWNLOADS_FOLDER)));
  });
  return router;
}
