import { cookies } from 'next/headers';
import { COOKIE, passbell, redirectTo, redirectWithError } from '../../../lib/passbell';

export async function POST(request) {
  const to = (await request.formData()).get('to');
  const jar = await cookies();
  // Your proxy adds the last address; the user can forge the others. Without a proxy, Next.js only adds the header if the
  // request has none.
  const clientIp = request.headers.get('x-forwarded-for')?.split(',').at(-1).trim();
  try {
    const { maskId } = await passbell().sendOtp({ to, clientIp });
    jar.set('code', maskId, COOKIE);
    jar.set('to', to, COOKIE);
    return redirectTo('/login?step=verify');
  } catch (error) {
    // The code that this browser requested earlier is still valid.
    const keepsCode = error.code === 'COOLDOWN' && to === jar.get('to')?.value;
    return redirectWithError(keepsCode ? 'verify' : 'send', error);
  }
}
