/** Custom texts of applications: validation, rendering and safety. */
import type { Content } from '../../backend/src/providers/provider.js';
import {
  checkOverride,
  OverrideError,
  renderOverride,
} from '../../backend/src/modules/templates/rendering/override.js';
import { LANGUAGES } from '../../backend/src/modules/templates/rendering/languages.js';
import { overrideProblems } from '../../backend/src/modules/templates/rendering/override-problems.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import { processorMs } from '../support/processor-time.js';

/** Maximum CPU time for rendering a text: a hundred times the usual time. */
const MAX_FILL_MS = 500;
/** Maximum CPU time for the slowest text that the limits allow, which blocks the process for about 30 ms. */
const MAX_SLOWEST_MS = 250;

const VARIABLES = { known: ['orderId', 'trackingLink', 'application'], needed: [] };
const check = (text: string, subject: string | null = null) =>
  checkOverride(subject === null ? 'SMS' : 'EMAIL', { subject, text }, VARIABLES);
const english = LANGUAGES.en;
const renderText = (text: string, variables: Record<string, string> = {}): string =>
  (renderOverride('WHATSAPP', english, { subject: null, text }, variables) as Extract<Content, { kind: 'text' }>).text;

it.each([
  'Order {{ orderId }}',
  '{% if trackingLink %}Track: {{ trackingLink }}{% else %}Soon!{% endif %}',
  '{% assign short = orderId | upcase | truncate: 5 %}{{ short }}',
  '{% case orderId %}{% when "1" %}first{% else %}later{% endcase %}',
  'no variables at all',
])('accepts %j', (text) => expect(() => check(text)).not.toThrow());

it.each([
  ['{{ orderld }}', /unknown variables: orderld; the template has orderId, trackingLink, application/],
  ['{{ orderId', /not valid/],
  ['{% if orderId %}', /not valid.*not closed/s],
  ['{{ orderId | nope }}', /undefined filter/],
  ['{% include "/etc/passwd" %}', /tag "include" not found/],
  ['{% render "x" %}', /tag "render" not found/],
  ['{% layout "x" %}', /tag "layout" not found/],
  ['{% for i in (1..1000000) %}x{% endfor %}', /tag "for" not found/],
  ['{% tablerow i in (1..9) %}x{% endtablerow %}', /tag "tablerow" not found/],
  ['{{ orderId | where_exp: "x", "x" }}', /undefined filter/],
  ['x'.repeat(4001), /longer than 4000 characters/],
])('rejects %j', (text, reason) => {
  expect(() => check(text)).toThrow(OverrideError);
  expect(() => check(text)).toThrow(reason);
});

it('requires a subject for an email, and rejects a subject on other channels', () => {
  expect(() => checkOverride('EMAIL', { subject: null, text: 'x' }, VARIABLES)).toThrow('an email needs a subject');
  expect(() => checkOverride('SMS', { subject: 'x', text: 'x' }, VARIABLES)).toThrow('only an email has a subject');
  expect(() => check('x', '{{ nope }}')).toThrow('unknown variables: nope');
});

it('requires the code variable in a text for codes', () => {
  const code = { known: ['code'], needed: ['code'] };
  expect(() => checkOverride('SMS', { subject: null, text: 'hello' }, code)).toThrow('the text must contain code');
});

it('does not render variables a second time or expose prototype properties', () => {
  expect(renderText('{{ orderId }}', { orderId: '{{ 7 | times: 7 }}{% if true %}' })).toBe(
    '{{ 7 | times: 7 }}{% if true %}',
  );
  expect(renderText('a{{ orderId.constructor }}{{ constructor }}{{ __proto__ }}b', { orderId: 'x' })).toBe('ab');
});

it('aborts the rendering of a text that grows without limit', async () => {
  const doubling = `{% assign a = orderId %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`;
  const refuse = () =>
    expect(() => renderText(doubling, { orderId: 'x'.repeat(64) })).toThrow(/cannot be filled in.*limit exceeded/s);
  expect(await processorMs(refuse)).toBeLessThan(MAX_FILL_MS);
});

it.each([
  '{{ expectedDelivery | local }}',
  '{{ orderId | local }}',
  '{{ "2026-05-01T10:00Z" | local }}',
  '{{ "now" | date: "%c", "Asia/Tokyo" }}',
  '{{ orderId }}',
])('the longest text of %s does not block the process', async (part) => {
  const text = part.repeat(Math.floor(4000 / part.length));
  const variables = { orderId: 'EUR 59.90', expectedDelivery: '2026-05-01T10:00:00Z' };
  const override = { subject: text, text };
  const fill = () => {
    overrideProblems('EMAIL', override, VARIABLES);
    try {
      renderOverride('EMAIL', english, override, variables);
    } catch (error) {
      // The limit is a wall-clock time, which a busy machine can exceed. A slow text also takes too much CPU time.
      expect((error as Error).message).toContain('render limit exceeded');
    }
  };
  const times = [await processorMs(fill), await processorMs(fill), await processorMs(fill)];
  expect(Math.min(...times)).toBeLessThan(MAX_SLOWEST_MS);
});

it('reports all errors with their lines, without errors that follow from another one', () => {
  const messages = (text: string) =>
    overrideProblems('SMS', { subject: null, text }, VARIABLES).map(({ line, message }) => `${line}: ${message}`);
  const text = [
    'Hi {{ orderId',
    'b {{ orderld }}',
    '{{ orderId | shout }}',
    '{% for x %}x{% endfor %}',
    '{% if %}a{% else %}b{% endif %}',
  ].join('\n');
  expect(messages(text)).toEqual([
    '1: A “{{” is not closed: write “}}” after the variable.',
    '2: This template has no variable “orderld”. Did you mean “orderId”?',
    expect.stringMatching(/^3: There is no filter “shout”/),
    expect.stringMatching(/^4: “{% for %}” is not available/),
    '5: A value is missing here: write the name of a variable.',
  ]);
  expect(messages('{{'.repeat(2000))).toEqual(['1: A “{{” is not closed: write “}}” after the variable.']);
});

it('rejects a text that renders to an empty string', () => {
  expect(() => renderText('{% if trackingLink %}x{% endif %}')).toThrow('the text is empty');
});

it('escapes variables in the HTML of an email, makes the subject one line, and turns a line with a link into a button', () => {
  const override = { subject: 'News: {{ orderId }}', text: 'Hello {{ orderId }}\n\nTrack: {{ trackingLink }}' };
  const variables = { orderId: '<b>1</b>\r\nBcc: x', trackingLink: 'https://t.example/1?a=1&b=2', application: 'Shop' };
  const mail = renderOverride('EMAIL', english, override, variables) as Extract<Content, { kind: 'email' }>;
  expect(mail.subject).toBe('News: <b>1</b> Bcc: x');
  expect(mail.html).toContain('&lt;b&gt;1&lt;/b&gt;');
  expect(mail.html).toContain('<a href="https://t.example/1?a=1&amp;b=2"');
  expect(mail.text).toContain('Track: https://t.example/1?a=1&b=2');
});

it('turns links from the text and link variables into buttons, but not links in other variables', () => {
  const text = 'Hello {{ customerName }}\nFollow: {{ trackingLink }}\nHelp: https://shop.example/help/{{ orderId }}';
  const buttons = (variables: Record<string, string>) => {
    const mail = renderOverride('EMAIL', english, { subject: 'News', text }, { application: 'Shop', ...variables });
    return [...(mail as Extract<Content, { kind: 'email' }>).html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
  };
  const meant = { trackingLink: 'https://carrier.example/1', orderId: 'A-1' };
  const links = ['https://carrier.example/1', 'https://shop.example/help/A-1'];
  expect(buttons({ ...meant, customerName: 'Ana' })).toEqual(links);
  for (const site of ['evil.example', 'shop.example.evil.example', 'shop.example@evil.example', 'shop.example:8443'])
    expect(buttons({ ...meant, customerName: `Ana: https://${site}/` })).toEqual(links);
});

it('reads a voice call line by line, with spelled-out values', () => {
  const own = () => ({ subject: null, text: 'Order {{ orderId }}.\n\nIt is {{ estimatedDelivery }}.' });
  const values = { orderId: 'A-1', estimatedDelivery: '2026-03-05', application: 'Shop', language: 'en' };
  expect(render('order_shipped', 'VOICE', values, own)).toMatchObject({
    sentences: ['Order A, 1.', 'It is March 5, 2026.'],
  });
});

describe('values in right-to-left texts', () => {
  const rendered = (channel: 'SMS' | 'EMAIL' | 'VOICE', text: string, values: Record<string, string>) => {
    const own = () => ({ subject: channel === 'EMAIL' ? text : null, text });
    return render('order_shipped', channel, { ...values, application: 'Shop', language: 'ar' }, own) as Content & {
      subject: string;
      text: string;
      html: string;
      sentences: string[];
    };
  };
  const values = { orderId: 'A-1', trackingNo: '12', trackingLink: 'https://t.example/1' };
  const text = 'طلبك {{ orderId }} رقم {{ trackingNo }}: {{ trackingLink }}';
  const isolated = 'طلبك \u2068A-1\u2069 رقم 12: https://t.example/1';

  it('are isolated as in the built-in texts, except for links and numbers', () => {
    expect(rendered('SMS', text, values).text).toBe(isolated);
    const { subject, html, text: plain } = rendered('EMAIL', text, values);
    expect([subject, plain]).toEqual([isolated, `${isolated}\n`]);
    expect(html).toContain(`>${isolated}</h1>`);
  });

  it('are not isolated in conditions and in voice calls', () => {
    const choice = '{% if orderId == "A-1" %}واحد{% else %}آخر{% endif %}';
    expect(rendered('SMS', choice, values).text).toBe('واحد');
    expect(rendered('VOICE', 'طلبك {{ orderId }}', values).sentences).toEqual(['طلبك A, 1']);
  });

  it('are not isolated in a left-to-right text', () => {
    expect(rendered('SMS', 'Order {{ orderId }}', values).text).toBe('Order A-1');
  });

  it('cannot contain isolates', () => {
    expect(rendered('SMS', 'طلبك {{ orderId }}', { orderId: 'A\u2069\u202e1' }).text).toBe('طلبك \u2068A1\u2069');
  });
});

it('does not change the variables of an approved WhatsApp template', () => {
  const own = () => ({ subject: null, text: 'Own words' });
  expect(render('order_shipped', 'WHATSAPP', { orderId: 'A', application: 'Shop' }, own)).toMatchObject({
    text: 'Own words',
    template: 'order_shipped',
    variables: ['A', '-', '-', '-', '-'],
  });
});
