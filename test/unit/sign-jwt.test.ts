import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { signJwt } from '../../backend/src/modules/sessions/sign-jwt.js';

/** Of so many signatures, the integers of some begin with a zero byte, which DER omits (1 in 128). */
const SIGNATURES = 1500;

it('signs tokens that a JWT library verifies, whatever the length of the integers in the signature', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const lengths = new Set<number>();
  for (let n = 0; n < SIGNATURES; n++) {
    const token = signJwt({ kid: 'a', privateKey }, 'JWT', { n });
    const { payload, protectedHeader } = await jwtVerify(token, publicKey);
    expect({ payload, protectedHeader }).toEqual({
      payload: { n },
      protectedHeader: { alg: 'ES256', typ: 'JWT', kid: 'a' },
    });
    lengths.add(Buffer.from(token.split('.')[2]!, 'base64url').length);
  }
  expect([...lengths]).toEqual([64]);
});
