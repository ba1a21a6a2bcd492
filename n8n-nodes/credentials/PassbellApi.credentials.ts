import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

const NOT_PASSBELL =
  'The Base URL does not lead to a Passbell server. Enter the address of your Passbell server, such as https://otp.example.com.';

export class PassbellApi implements ICredentialType {
  name = 'passbellApi';

  displayName = 'Passbell API';

  icon: Icon = { light: 'file:../icons/passbell.svg', dark: 'file:../icons/passbell.dark.svg' };

  documentationUrl = 'https://passbell.example/n8n#credentials';

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
      description: 'Shown only once, when the application is created. Starts with sk_.',
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
        clientId: '={{ $credentials.appKey.trim() }}',
        clientSecret: '={{ $credentials.appSecret.trim() }}',
      },
    },
  };

  // Passbell returns HTTP 200 for failures too, and other servers may as well, so the rules check the body.
  test: ICredentialTestRequest = {
    request: {
      // The same normalization as `apiUrl` in nodes/shared/transport.ts. A credential test allows expressions only.
      baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api\\/v1$/i, "") + "/api/v1" }}',
      url: '/auth/authentication',
      // The credentials must not follow a redirect to another server.
      disableFollowRedirect: true,
    },
    rules: [
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'success',
          value: false,
          message:
            'Passbell rejected these API credentials. Check the App Key and the App Secret, that the application is active, and that its allow-list is empty or contains the address of this n8n.',
        },
      },
      {
        type: 'responseSuccessBody',
        properties: { key: 'success', value: undefined, message: NOT_PASSBELL },
      },
    ],
  };
}
