/** Simulates a browser that visits the dashboard over HTTP: stores cookies, and posts forms with their tokens. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Person } from '../../backend/src/modules/people/person.js';
import type { Role } from '../../backend/src/modules/access/rights.js';
import type { TestService } from './service.js';
import { advancingWhileStuck, until } from './wait.js';

export interface Reply {
  readonly status: number;
  /** Target of a redirect, or "". */
  readonly location: string;
  readonly html: string;
  readonly headers: Headers;
}

export interface Visitor {
  /** The person who is signed in. */
  readonly person: Person | undefined;
  /** Requests a page, without following redirects. `path` is below `/dashboard`. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Gets the page `from`, and submits its form whose action is `path`, with hidden fields such as the token. */
  submit(from: string, path: string, fields?: Fields): Promise<Reply>;
  /** Posts these fields only, without the hidden fields of a form. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Reply>;
  follow(reply: Reply): Promise<Reply>;
  /** The `Cookie` header. */
  cookies(): string;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescape = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : unescape(found);
};

/** Returns the hidden fields of the form for `action`. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const forms = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((candidate) => attribute(/<form[^>]*>/.exec(candidate)![0], 'action') === action);
  if (!form) throw new Error(`no form for ${action} on the page:\n${html}`);
  const inputs = [...form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name')!, attribute(input, 'value') ?? '']));
}

function encode(fields: Fields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const text of [value].flat()) body.append(name, text);
  return body;
}

/** Returns the sign-in codes that an address has received, newest first. */
export async function mailedCodes(passbell: TestService, email: string): Promise<string[]> {
  return (await passbell.inbox(email)).flatMap(({ subject }) => /^(\d{6}) is your /.exec(subject)?.[1] ?? []);
}

/** Waits until the address has received more than `after` codes, and returns the newest code. */
export async function waitForMailedCode(passbell: TestService, email: string, after = 0): Promise<string> {
  const find = async () => {
    const codes = await mailedCodes(passbell, email);
    return codes.length > after && codes[0];
  };
  return until(`code ${after + 1} for ${email}`, find, advancingWhileStuck(passbell.clock));
}

/** Waits for an email with this text in its subject, and returns its text. */
export async function waitForMailedNotice(passbell: TestService, email: string, subject: string): Promise<string> {
  const find = async () => (await passbell.inbox(email)).find((mail) => mail.subject.includes(subject));
  const mail = await until(`the email "${subject}" to ${email}`, find, advancingWhileStuck(passbell.clock));
  return mail.text;
}

/** Creates a browser with this session. The browser sends these headers with every request. `cookieName`: of the session. */
export function createVisitor(
  base: string,
  person?: Person,
  session?: string,
  always: Record<string, string> = {},
  cookieName = 'passbell-session',
): Visitor {
  const jar = new Map<string, string>(session ? [[cookieName, session]] : []);
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function ask(path: string, init: RequestInit): Promise<Reply> {
    const headers = { ...always, Cookie: cookies(), ...(init.headers as Record<string, string>) };
    const response = await fetch(`${base}/dashboard${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /Max-Age=0/.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    const { status } = response;
    return {
      status,
      location: response.headers.get('Location') ?? '',
      html: await response.text(),
      headers: response.headers,
    };
  }

  const visitor: Visitor = {
    person,
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, fields, headers = {}) => ask(path, { method: 'POST', body: encode(fields), headers }),
    async submit(from, path, fields = {}) {
      const { html } = await visitor.get(from);
      return visitor.post(path, { ...hiddenFields(html, `/dashboard${path}`), ...fields });
    },
    follow: ({ location }) => visitor.get(location.replace(/^\/dashboard/, '')),
  };
  return visitor;
}

/** Opens an invitation link, and enters the address and the emailed code. */
export async function acceptInvitation(passbell: TestService, link: string, email: string) {
  const visitor = createVisitor(passbell.url);
  const welcome = await visitor.follow(await visitor.get(link));
  const before = (await mailedCodes(passbell, email)).length;
  const asked = welcome.status === 200 ? await visitor.submit('/start', '/start', { email }) : welcome;
  if (asked.location !== '/dashboard/sign-in/code') return { visitor, reply: asked };
  const code = await waitForMailedCode(passbell, email, before);
  return { visitor, reply: await visitor.submit('/sign-in/code', '/sign-in/code', { code }) };
}

let people = 0;

/** Signs in a new person with this role, by default to the account that owns the test application. */
export async function signIn(
  { url, core }: Pick<TestService, 'url' | 'core'>,
  role: Role = 'owner',
  {
    account = 'operator@localhost',
    email = `${role}${++people}@example.com`,
  }: { account?: string; email?: string } = {},
): Promise<Visitor> {
  const accountId = await core.applications.service.createAccount(OPERATOR, account);
  const invitation = await core.people.service.invite(OPERATOR, { accountId, email, role });
  const person = (await core.people.service.join(invitation, email))!;
  const prefix = core.config.BASE_URL?.startsWith('https:') ? '__Host-' : '';
  return createVisitor(url, person, await core.people.sessions.open(person), {}, `${prefix}passbell-session`);
}
