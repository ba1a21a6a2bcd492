/** Workflows in n8n: two of the examples, the trigger, and a retry from the execution list. */
import { createHmac } from 'node:crypto';
import type { Body } from '../../support/service.js';
import { until } from '../../support/wait.js';
import { startForwarder } from '../n8n/forwarder.js';
import { executionAfter } from './executions.js';
import { example, post, type Fixture } from './fixture.js';

export function workflowTests(fixture: Fixture): void {
  const order = {
    orderId: 'A-1001',
    customerName: 'Ana',
    phone: '+14155550101',
    email: 'ana@example.com',
    trackingNo: '007',
    trackingLink: 'https://track.example/007',
  };

  it('"order-shipped" sends one SMS for each order, or an email if an SMS is not possible', async () => {
    const id = await fixture.activate(example('order-shipped'));
    const call = (body: object) =>
      executionAfter(fixture.n8n, id, () => post(`${fixture.n8n.url}/webhook/order-shipped`, body));
    for (let calls = 0; calls < 2; calls++) {
      const execution = await call(order);
      expect(execution.output('Notify by SMS')).toMatchObject([{ json: { channel: 'SMS' }, pairedItem: { item: 0 } }]);
    }
    expect(await fixture.inbox(order.phone)).toMatchObject([{ text: expect.stringContaining('007') }]);

    const execution = await call({ ...order, orderId: 'A-1002', phone: 'unknown' });
    expect(execution.output('Notify by SMS', 1)).toMatchObject([{ json: { details: { code: 'INVALID_RECIPIENT' } } }]);
    expect(execution.output('Notify by Email')).toMatchObject([{ json: { channel: 'EMAIL' } }]);
    expect(await fixture.inbox(order.email)).toMatchObject([{ text: expect.stringContaining('A-1002') }]);
    await fixture.deactivate(id);
  });

  it('"invoice-by-email" sends an email, and outputs failed items on the error output', async () => {
    const id = await fixture.activate(example('invoice-by-email'));
    const invoice = { customerName: 'Ana', invoiceNumber: 'INV-7', amount: '$120.00', email: 'invoice@example.com' };
    const call = (body: object) =>
      executionAfter(fixture.n8n, id, () => post(`${fixture.n8n.url}/webhook/invoice-issued`, body));
    const sent = await call({ ...invoice, invoiceUrl: 'https://shop.example/7' });
    expect(sent.output('Send Invoice')).toMatchObject([{ json: { channel: 'EMAIL' } }]);
    expect(await fixture.inbox(invoice.email)).toMatchObject([{ text: expect.stringContaining('$120.00') }]);
    const failed = await call({ ...invoice, invoiceNumber: 'INV-8', email: 'nobody' });
    expect(failed.output('Notify Someone')).toMatchObject([{ json: { details: { code: 'INVALID_RECIPIENT' } } }]);
    await fixture.deactivate(id);
  });

  const trigger = (path: string) => ({
    name: 'Passbell calls',
    nodes: [
      {
        id: 't',
        name: 'Passbell Trigger',
        type: 'n8n-nodes-passbell.passbellTrigger',
        typeVersion: 1,
        position: [0, 0],
        webhookId: path,
        parameters: { events: ['message.accepted', 'otp.verified'] },
        credentials: { passbellApi: { id: null, name: 'Passbell account' } },
      },
    ],
    connections: {},
    settings: { executionOrder: 'v1' },
  });
  const webhooks = async (): Promise<Body[]> => (await fixture.callPassbell('/webhooks')).data.webhooks;

  it('with Passbell Trigger registers a webhook, runs for each event, rejects forged events, and deletes the webhook', async () => {
    const id = await fixture.activate(trigger('0b9f5d70-3f5f-4d4a-9d53-0f5b7a3f9a01'));
    const [webhook] = await webhooks();
    expect(webhook).toMatchObject({ url: expect.stringContaining(`${fixture.n8n.url}/webhook/`) });

    const to = '+14155550102';
    const delivered = await executionAfter(fixture.n8n, id, () => fixture.callPassbell('/auth/sendotp', { to }));
    const [{ json: event }] = delivered.output('Passbell Trigger') as [Body];
    expect(event).toMatchObject({ event: 'message.accepted', data: { template: 'otp' } });

    const otp = (await fixture.inbox(to))[0].text.match(/\d{6}/)[0];
    const verified = await executionAfter(fixture.n8n, id, () =>
      fixture.callPassbell('/auth/verifyotp', { maskId: event.data.maskId, otp }),
    );
    expect(verified.output('Passbell Trigger')).toMatchObject([{ json: { event: 'otp.verified' } }]);

    const t = Math.floor(Date.now() / 1000);
    for (const headers of [{}, { 'Passbell-Signature': `t=${t},v1=${'0'.repeat(64)}` }])
      expect((await post(webhook.url, event, headers)).status).toBe(401);

    const workflow = await fixture.n8n.callApi('GET', `/workflows/${id}`);
    const secret = JSON.stringify(workflow.staticData).match(/whsec_[\w+/]{43}=/)![0];
    const copy = JSON.stringify({ ...event, id: 'EVT-copied' });
    const v1 = createHmac('sha256', secret).update(`${t}.${copy}`).digest('hex');
    const executions = async () => {
      const filter = new URLSearchParams({ filter: JSON.stringify({ workflowId: id }) });
      return (await fixture.n8n.callApi('GET', `/executions?${filter}`)).results.length as number;
    };
    const before = await executions();
    const send = () => post(webhook.url, JSON.parse(copy), { 'Passbell-Signature': `t=${t},v1=${v1}` });
    const statuses = [
      (await send()).status,
      (await send()).status,
      ...(await Promise.all([send(), send()])).map((r) => r.status),
    ];
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await executions()).toBe(before + 1);

    await fixture.deactivate(id);
    expect(await webhooks()).toEqual([]);
  });

  it('with Passbell Trigger receives the next event on "Listen for test event", and deletes its webhook', async () => {
    const { id } = await fixture.n8n.callApi('POST', '/workflows', trigger('0b9f5d70-3f5f-4d4a-9d53-0f5b7a3f9a02'));
    const body = { triggerToStartFrom: { name: 'Passbell Trigger' } };
    expect(await fixture.n8n.callApi('POST', `/workflows/${id}/run`, body)).toMatchObject({ waitingForWebhook: true });
    expect(await webhooks()).toMatchObject([{ url: expect.stringContaining(`${fixture.n8n.url}/webhook-test/`) }]);
    const execution = await executionAfter(fixture.n8n, id, () =>
      fixture.callPassbell('/auth/sendotp', { to: '+14155550108' }),
    );
    expect(execution.output('Passbell Trigger')).toMatchObject([{ json: { event: 'message.accepted' } }]);
    await until('the removal of the webhook', async () => (await webhooks()).length === 0);
  });

  it('sends no second message on "Retry" in the execution list', async () => {
    let lost = 0;
    const forwarder = await startForwarder(fixture.serviceUrl, () => lost++ === 0);
    const { id: credentialId } = await fixture.n8n.callApi('POST', '/credentials', {
      name: 'Passbell behind a bad line',
      type: 'passbellApi',
      data: fixture.credential({ baseUrl: forwarder.url }),
    });
    const to = '+14155550103';
    const workflow = example('order-shipped');
    workflow.nodes = workflow.nodes.filter(({ id }: Body) => ['w1', 'p1'].includes(id));
    const [webhook, node] = workflow.nodes;
    webhook.parameters.path = 'bad-line';
    Object.assign(node, {
      onError: 'stopWorkflow',
      parameters: { resource: 'otp', operation: 'send', to: '={{ $json.body.to }}' },
      credentials: { passbellApi: { id: credentialId, name: 'Passbell behind a bad line' } },
    });
    workflow.connections = { [webhook.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } };
    const id = await fixture.activate(workflow);

    const failed = await executionAfter(fixture.n8n, id, () => post(`${fixture.n8n.url}/webhook/bad-line`, { to }));
    expect(failed).toMatchObject({ status: 'error', error: { context: { itemIndex: 0 } } });
    expect(JSON.stringify(failed.error)).not.toContain(fixture.keys.appSecret);
    const again = await executionAfter(fixture.n8n, id, () =>
      fixture.n8n.callApi('POST', `/executions/${failed.id}/retry`, {}),
    );
    expect(again.output(node.name)).toMatchObject([{ json: { channel: 'SMS' } }]);
    expect(await fixture.inbox(to)).toHaveLength(1);
    await fixture.deactivate(id);
    await fixture.n8n.callApi('DELETE', `/credentials/${credentialId}`);
    forwarder.close();
  });
}
