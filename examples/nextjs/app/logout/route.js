import { cookies } from 'next/headers';
import { passbell, redirectTo } from '../../lib/passbell';

export async function POST() {
  const jar = await cookies();
  const session = jar.get('session')?.value;
  if (session) await passbell().revokeSession(session);
  jar.delete('session');
  return redirectTo('/login');
}
