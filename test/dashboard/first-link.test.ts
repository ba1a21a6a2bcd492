/** The link that the service prints on its first start. It makes one person the owner. */
import { createVisitor, waitForMailedCode, signIn, acceptInvitation } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeEach(async () => {
  passbell = await startService();
});
afterEach(() => passbell.stop());

const join = (link: string, email: string) => acceptInvitation(passbell, link, email);
const firstLink = async (): Promise<string> => `/start?key=${await passbell.core.people.service.inviteFirst()}`;

describe('the first link', () => {
  it("makes only its first user the owner of the operator's account", async () => {
    const link = await firstLink();
    const email = freshMail();
    const { visitor, reply } = await join(link, email);
    expect(reply).toMatchObject({ status: 303, location: '/dashboard/home' });
    expect((await visitor.follow(reply)).html).toContain('Test Shop');
    const late = await join(link, freshMail());
    expect(late.reply).toMatchObject({ status: 410 });
    expect(await passbell.core.people.service.inviteFirst()).toBeUndefined();
  });

  it('works for only one of two people who use it concurrently', async () => {
    const link = await firstLink();
    const visitors = await Promise.all(
      [freshMail(), freshMail()].map(async (email) => {
        const visitor = createVisitor(passbell.url);
        await visitor.get(link);
        await visitor.submit('/start', '/start', { email });
        return { visitor, code: await waitForMailedCode(passbell, email) };
      }),
    );
    const forms = await Promise.all(
      visitors.map(
        async ({ visitor, code }) =>
          () =>
            visitor.submit('/sign-in/code', '/sign-in/code', { code }),
      ),
    );
    const replies = await Promise.all(forms.map((send) => send()));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it('expires after a week, or when the next start prints another link', async () => {
    const old = await firstLink();
    const link = await firstLink();
    const isValid = async (path: string) => {
      const visitor = createVisitor(passbell.url);
      return (await visitor.follow(await visitor.get(path))).html.includes('action="/dashboard/start"');
    };
    expect(await Promise.all([old, link].map(isValid))).toEqual([false, true]);
    passbell.clock.advance(7 * 86_400_000);
    expect(await isValid(link)).toBe(false);
  });

  it('expires as soon as someone has joined with another link', async () => {
    const link = await firstLink();
    const waiting = createVisitor(passbell.url);
    const email = freshMail();
    await waiting.get(link);
    await waiting.submit('/start', '/start', { email });
    const code = await waitForMailedCode(passbell, email);
    await signIn(passbell, 'owner', { account: 'other@example.com' });
    expect((await join(link, freshMail())).reply.status).toBe(410);
    expect((await waiting.submit('/sign-in/code', '/sign-in/code', { code })).status).toBe(410);
  });

  it('disappears from the address bar, and is stored as a hash', async () => {
    const link = await firstLink();
    const opened = await createVisitor(passbell.url).get(link);
    expect(opened).toMatchObject({ status: 303, location: '/dashboard/start' });
    const key = link.split('=')[1]!;
    expect(passbell.logged.join('')).not.toContain(key);
    const db = passbell.openDatabase();
    expect(JSON.stringify(await db('invitations').select('*'))).not.toContain(key);
    await db.destroy();
  });
});
