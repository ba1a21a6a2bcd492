import type { IAuthenticateGeneric, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** The Passbell node tests these credentials. */
export class PassbellApi implements ICredentialType {
  name = 'passbellApi';

  displayName = 'Passbell API';

  icon: Icon = { light: 'file:../icons/passbell.svg', dark: 'file:../icons/passbell.dark.svg' };

  documentationUrl = 'https://passbell.example/passbell/tree/main/n8n-nodes#2-create-a-credential';

  properties: INodeProperties[] = [
    {
      displayName: 'App Key',
      name: 'appKey',
      type: 'string',
      default: '',
      required: true,
      description: 'Identifies your application. Starts with pk_.',
    },
    {
      displayName: 'App Secret',
      name: 'appSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Shown only once, when it is created. Starts with sk_.',
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://otp.example.com',
      description: 'Address of your Passbell server, with or without /api/v1 at the end',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        // Without characters that were copied by mistake and that a header cannot contain.
        clientId: '={{ $credentials.appKey.replace(/[^!-~]/g, "") }}',
        clientSecret: '={{ $credentials.appSecret.replace(/[^!-~]/g, "") }}',
      },
    },
  };
}
