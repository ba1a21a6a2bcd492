import { cookies } from 'next/headers';
import { COOKIE, passbell, redirectTo, redirectWithError } from '../../../lib/passbell';

export async function POST(request) {
  const to = (await request.formData()).get('to');
  try {
    const { maskId } = await passbell().sendOtp({ to });
    (await cookies()).set('code', maskId, COOKIE);
    return redirectTo('/login?step=verify');
  } catch (error) {
    return redirectWithError('send', error);
  }
}
