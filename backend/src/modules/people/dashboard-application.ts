/**
 * The application that the dashboard itself is: a client of our own codes and second factors, in whose name they are sent
 * and counted. It is a row like any other, so that an operator sees its messages and can set its language or reset a second
 * factor; it has no App Secret, and its strict two-factor keeps everybody out who comes with its App Key alone.
 */
import type { Application, ApplicationSettings } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';

/** Not random: of several processes that make it at one time, one does. */
export const HOUSE_APP_KEY = 'pk_dashboard';
/** Nobody can be invited to it: no mailbox has this address. */
const HOUSE_ACCOUNT = 'dashboard@localhost';
const HOUSE_NAME = 'Passbell';

/** Its sends are limited where people sign in, alike for addresses that may and that may not. */
const SETTINGS: Partial<ApplicationSettings> = { strictTwoFactor: true };
const NO_SEND_LIMITS = {
  cooldownSeconds: 0,
  sendsPer10Minutes: 0,
  sendsPerDay: 0,
  burstPerSecond: 0,
  burstPerMinute: 0,
};

export type House = () => Promise<Application>;

/** Answers the application, made when it is first needed. */
export function createHouse(applications: ApplicationsService): House {
  return async () => {
    const found = await applications.find(HOUSE_APP_KEY);
    if (found) return found;
    const accountId = await applications.accountId(HOUSE_ACCOUNT);
    const own = { accountId, name: HOUSE_NAME, appKey: HOUSE_APP_KEY };
    return applications.createInternal(own, SETTINGS, NO_SEND_LIMITS);
  };
}

/** The house as its own code calls it, which needs nobody's word for who is at the other end. */
export const trusted = (house: Application): Application => ({
  ...house,
  settings: { ...house.settings, strictTwoFactor: false },
});
