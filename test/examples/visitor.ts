/** Simulates a browser without JavaScript: stores cookies, follows redirects, and submits forms. */
export interface Page {
  readonly path: string;
  readonly status: number;
  readonly html: string;
}

export interface Visitor {
  /** Cookie values by name. */
  readonly cookies: Map<string, string>;
  open(path: string): Promise<Page>;
  /** Submits the form on the current page. */
  submit(fields: Record<string, string>): Promise<Page>;
}

const DELETED = /max-age=0\b|expires=thu, 01 jan 1970/i;

export function createVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  let page: Page;

  async function request(path: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: { Connection: 'close', ...(cookie && { Cookie: cookie }) },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (DELETED.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
      // Scripts must not be able to read the cookie, and forms on other sites must not send it.
      if (!DELETED.test(line)) expect(line).toMatch(/^(?=.*; HttpOnly)(?=.*; SameSite=Lax)/i);
    }
    const location = reply.headers.get('location');
    if (location) return request(location);
    page = { path, status: reply.status, html: (await reply.text()).replace(/<!-- -->/g, '') };
    return page;
  }

  return {
    cookies,
    open: request,
    submit(fields) {
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.html) ?? [];
      if (!action) throw new Error(`no form on the page:\n${page.html}`);
      return request(action, { method: 'POST', body: new URLSearchParams(fields) });
    },
  };
}
