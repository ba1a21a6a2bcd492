/** Setup of the project `scaled` in jest.config.mjs, in which the service runs on MySQL and Redis. */
(globalThis as { PASSBELL_SCALED?: boolean }).PASSBELL_SCALED = true;
