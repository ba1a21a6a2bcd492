/** Constant replies of the same size as Passbell's replies. */

export const replies = {
  '/api/v1/auth/sendotp': {
    success: true,
    message: 'OTP sent',
    data: {
      isTried: 1,
      isSent: 1,
      results: [
        {
          success: true,
          message: 'sent',
          to: '+49151*****00',
          authType: 'Sms',
          authtype: 'Sms',
          maskId: '0123456789abcdef0123456789abcdef',
          createdTime: 1_800_000_000,
          expireTime: 1_800_000_300,
          expiretime: 1_800_000_300,
          charge: '0.0000',
          currency: 'usd',
        },
      ],
    },
  },
  '/api/v1/auth/verifyotp': {
    success: true,
    message: 'verified',
    status: 'verified',
    data: {
      tokenType: 'Bearer',
      token: `${'h'.repeat(70)}.${'p'.repeat(340)}.${'s'.repeat(86)}`,
      expiresIn: 1800,
      user: {
        email: '',
        phone: '+4915100000000',
        userId: `USR-${'u'.repeat(32)}`,
        userApplicationId: 1_000_000,
      },
    },
  },
};
