import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isoTime, type Operation, text } from '../../shared/operation';
import { optionsField, showFor, simplifyField, textsOf, waitOption } from '../../shared/properties';

const both = showFor('session', ['revoke', 'verifyToken']);

export const sessionProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['session'] } },
    options: [
      {
        name: 'Revoke',
        value: 'revoke',
        action: 'Revoke a session',
        description: 'End a session immediately, so that its token is rejected',
      },
      {
        name: 'Verify Token',
        value: 'verifyToken',
        action: 'Verify a session token',
        description: 'Get the verified identity that a session token belongs to',
      },
    ],
    default: 'verifyToken',
  },
  {
    ...textsOf('session'),
    name: 'token',
    type: 'string',
    typeOptions: { password: true },
    required: true,
    default: '',
    displayOptions: both,
  },
  simplifyField(both),
  optionsField(both, [waitOption]),
];

function simplifyIdentity(reply: IDataObject): IDataObject {
  const { userId, identities } = reply.data as { userId: string; identities: IDataObject };
  return { userId, ...identities, verifiedAt: isoTime(identities.verifiedAt) };
}

export const sessionOperations: Record<string, Operation> = {
  verifyToken: {
    needsKey: false,
    request(context, itemIndex) {
      const body = { token: text(context, 'token', itemIndex) };
      const expects = { 'data.userId': 'string', 'data.identities': 'object' } as const;
      return { method: 'POST', path: '/auth/verifytoken', body, expects };
    },
    simplify: simplifyIdentity,
  },
  revoke: {
    needsKey: false,
    request(context, itemIndex) {
      const body = { token: text(context, 'token', itemIndex) };
      return { method: 'POST', path: '/auth/revokesession', body, expects: {} };
    },
    simplify: (reply) => ({ revoked: true, message: reply.message }),
  },
};
