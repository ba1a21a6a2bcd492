/** better-auth with its fastest settings: on bare node:http, no rate limits, cached sessions, no delivery. */
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { emailOTP, jwt, phoneNumber } from 'better-auth/plugins';
import { Redis } from 'ioredis';
import { createPool } from 'mysql2/promise';

const { databaseUrl, redisUrl, connections, token } = JSON.parse(process.env.BENCH);

/** Secondary storage in Redis. */
function redisStorage(url) {
  const redis = new Redis(url, { enableAutoPipelining: true });
  return {
    get: (key) => redis.get(key),
    set: (key, value, seconds) => (seconds ? redis.set(key, value, 'EX', Math.ceil(seconds)) : redis.set(key, value)),
    delete: async (key) => void (await redis.del(key)),
    getAndDelete: (key) => redis.getdel(key),
    async increment(key, seconds) {
      const count = await redis.incr(key);
      if (count === 1) await redis.expire(key, Math.ceil(seconds));
      return count;
    },
  };
}

/** Returns the code to the load tool in a header instead of delivering it. */
const noDelivery = (code, context) => context.setHeader('x-code', code);

const server = createServer((request, response) => handler(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const auth = betterAuth({
  baseURL: origin,
  secret: 'a secret of the bench that protects nothing at all',
  database: createPool({ uri: databaseUrl, connectionLimit: connections, timezone: 'Z' }),
  ...(redisUrl ? { secondaryStorage: redisStorage(redisUrl) } : {}),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  // Avoids a session lookup in the token request.
  session: {
    cookieCache: { enabled: true, maxAge: 300, ...(token === 'cookie' ? { strategy: 'jwt' } : {}) },
  },
  plugins: [
    emailOTP({
      sendVerificationOTP: async ({ otp }, context) => noDelivery(otp, context),
      overrideDefaultEmailVerification: false,
    }),
    phoneNumber({
      sendOTP: ({ code }, context) => noDelivery(code, context),
      signUpOnVerification: { getTempEmail: (number) => `${number.slice(1)}@phone.example.com` },
    }),
    jwt({ ...(token === 'cookie' ? { sessionCookieCache: true } : {}) }),
  ],
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
const handler = toNodeHandler(auth);

process.send({ ready: { url: origin } });
process.on('disconnect', () => process.exit());
