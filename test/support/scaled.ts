/** Set-up of the project `scaled` of jest.config.mjs, in which the service runs on MySQL and Redis. */
(globalThis as { PASSBELL_SCALED?: boolean }).PASSBELL_SCALED = true;
