/** `GET /branding/…`: the logos of accounts, for emails and pages of other sites. */
import { Router } from 'express';
import type { AccountProfiles } from './account-profile-service.js';

/** How long browsers cache a logo: a day. A new logo has a new URL. */
const LOGO_SECONDS = 86_400;

export function brandingRoutes(profiles: Pick<AccountProfiles, 'findLogo'>): Router {
  const router = Router();
  router.get('/branding/:name', async (request, response, next) => {
    const [, accountId, id] = /^(\d{1,9})-([0-9a-f]{32})\.png$/.exec(request.params.name) ?? [];
    const logo = id === undefined ? undefined : await profiles.findLogo(Number(accountId), id);
    if (!logo) return next();
    response.set({
      'Cache-Control': `public, max-age=${LOGO_SECONDS}`,
      'Content-Security-Policy': "default-src 'none'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.type('png').send(logo);
  });
  return router;
}
