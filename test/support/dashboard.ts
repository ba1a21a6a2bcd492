/** Somebody at the dashboard, by HTTP: follows what a browser would, forms and their tokens included. */
import type { Person, Role } from '../../backend/src/modules/people/person.js';
import type { TestService } from './service.js';

export interface Reply {
  readonly status: number;
  /** Where it leads; "" when nowhere. */
  readonly location: string;
  readonly html: string;
  readonly headers: Headers;
}

export interface Visitor {
  /** The person who is signed in; undefined for a stranger. */
  readonly person: Person | undefined;
  /** A page, without following redirects. `path` is below `/dashboard`. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a form as the page at `from` has it: with its token, and the other hidden fields of the form for `path`. */
  submit(from: string, path: string, fields?: Fields): Promise<Reply>;
  /** A bare POST, with nothing but what is given. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Reply>;
  /** The page that a reply leads to. */
  follow(reply: Reply): Promise<Reply>;
  /** What the browser would send. */
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

/** The hidden fields of the form that is sent to `action`. */
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

/** The code of the newest mail to an address, once there are more than `after`. */
export async function mailedCode(passbell: TestService, email: string, after = 0): Promise<string> {
  while ((await passbell.inbox(email)).length <= after) await new Promise(setImmediate);
  return passbell.codeFor(email);
}

/** A browser with these cookies. */
export function createVisitor(base: string, person?: Person, session?: string): Visitor {
  const jar = new Map<string, string>(session ? [['passbell-session', session]] : []);
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function ask(path: string, init: RequestInit): Promise<Reply> {
    const headers = { Cookie: cookies(), ...(init.headers as Record<string, string>) };
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

/** Opens the link of an invitation, gives the address, and enters the code that it gets. */
export async function takeLink(passbell: TestService, link: string, email: string) {
  const visitor = createVisitor(passbell.url);
  const welcome = await visitor.follow(await visitor.get(link));
  const before = (await passbell.inbox(email)).length;
  const asked = welcome.status === 200 ? await visitor.submit('/start', '/start', { email }) : welcome;
  if (asked.location !== '/dashboard/sign-in/code') return { visitor, reply: asked };
  const code = await mailedCode(passbell, email, before);
  return { visitor, reply: await visitor.submit('/sign-in/code', '/sign-in/code', { code }) };
}

let people = 0;

/** Somebody who is signed in with this role: to the account of the service's own application, or to that of `account`. */
export async function signIn(
  { url, service }: Pick<TestService, 'url' | 'service'>,
  role: Role = 'owner',
  {
    account = 'operator@localhost',
    email = `${role}${++people}@example.com`,
  }: { account?: string; email?: string } = {},
): Promise<Visitor> {
  const accountId = await service.applications.accountId(account);
  const invitation = await service.people.invite({ accountId, email, role });
  const person = (await service.people.accept(invitation, email))!;
  return createVisitor(url, person, await service.personSessions.open(person));
}
