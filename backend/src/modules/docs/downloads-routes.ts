/** `GET /downloads/…`: the packages of the clients, with or without the version in the name. */
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import { DOWNLOADS_FOLDER, listDownloads } from './downloads.js';

export function downloadsRoutes(): Router {
  const router = Router();
  router.get('/downloads/:name', async (request, response, next) => {
    const { name } = request.params;
    const packages = listDownloads();
    const file = packages.get(name) ?? [...packages.values()].find((known) => known === name);
    if (file === undefined) return next();
    response.set('Cache-Control', 'no-cache').attachment(file);
    response.send(await readFile(new URL(file, DOWNLOADS_FOLDER)));
  });
  return router;
}
