import { cookies } from 'next/headers';
import { passbell, redirectTo } from '../../lib/passbell';

export async function POST() {
  const jar = await cookies();
  const session = jar.get('session')?.value;
  jar.delete('session');
  if (session) await passbell().revokeSession(session).catch(console.error);
  return redirectTo('/login');
}
