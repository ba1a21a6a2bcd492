import { redirect } from 'next/navigation';
import { currentUser } from '../lib/passbell';

export default async function Home() {
  const user = await currentUser();
  if (!user) redirect('/login');
  return (
    <form method="post" action="/logout">
      You are logged in as {user.identities.identityValue}. <button>Log out</button>
    </form>
  );
}
