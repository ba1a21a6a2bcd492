import { cookies } from 'next/headers';
import { COOKIE, passbell, redirectTo, redirectWithError } from '../../../lib/passbell';

export async function POST(request) {
  const otp = (await request.formData()).get('otp');
  const jar = await cookies();
  try {
    const { token, expiresIn } = await passbell().verifyOtp({ maskId: jar.get('code')?.value, otp });
    jar.delete('code');
    jar.delete('to');
    jar.set('session', token, { ...COOKIE, maxAge: expiresIn });
    return redirectTo('/');
  } catch (error) {
    return redirectWithError('verify', error);
  }
}
