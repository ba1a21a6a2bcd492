/** All texts of the widget in English. `{…}` are placeholders. */
export const en = {
  loading: 'Loading two-factor authentication…',
  checking: 'Checking…',

  enrolTitle: 'Set up two-factor authentication',
  enrolLead: 'Scan this picture with an authenticator app on your phone.',
  enrolApps: 'Works with {apps} and every other app that makes six-digit codes.',
  qrLabel: 'QR code for an authenticator app; the key is below as text',
  openApp: 'Open in an app on this device',
  manualSummary: 'You cannot scan it?',
  manualLead: 'Type this key into the app instead; the account is {identity}.',
  next: 'Continue',
  back: 'Back',

  confirmTitle: 'Enter the code from the app',
  confirmLead: 'It has six digits and changes every 30 seconds.',
  codeLabel: 'Six-digit code',
  codeHint: 'Checked as soon as you type the last digit.',
  check: 'Check the code',
  incomplete: 'Enter the whole code.',
  wrongCode: 'This code is not right. Enter the one that the app shows now.',
  enrolAgain: 'That took too long. Please scan this new picture.',

  savedTitle: 'Save your recovery codes',
  savedLead: 'Without your phone, each of them lets you in once. They are shown only now.',
  copy: 'Copy',
  download: 'Download',
  saved: 'I have saved them',
  copied: 'Copied',
  notCopied: 'Copying is not allowed. The text is selected: copy it with the keyboard.',

  enterTitle: 'Two-factor authentication',
  enterLead: 'Open your authenticator app and enter the code for this site.',
  useRecovery: 'Use a recovery code',
  recoveryLead: 'Enter one of the codes that you saved. Each works once.',
  recoveryLabel: 'Recovery code',
  wrongRecovery: 'This recovery code is not right, or has been used.',

  onTitle: 'Two-factor authentication is on',
  onLead: 'You are verified.',
  codesLeft: 'Recovery codes left: {count}',
  turnOff: 'Turn off',
  offTitle: 'Turn off two-factor authentication?',
  offLead: 'After that, a code from your phone is no longer asked for.',
  offCodeLead: 'Enter the code from your app, so that it is certainly you.',
  keepOn: 'Keep it on',
  doneTitle: 'Two-factor authentication is off',

  lockedTitle: 'Too many tries',
  lockedLead: 'To protect the account, you can try again in:',

  unreachableLead: 'The service cannot be reached. Check your connection and try again.',
  brokenTitle: 'This did not work',
  brokenLead: 'Something is wrong on our side. Try again in a moment.',
  misplacedTitle: 'Not available on this page',
  misplacedLead: 'Two-factor authentication is not set up correctly here. Please tell the people who run this site.',
  signInLead: 'This page has been open for too long. Reload it or sign in again.',
  retry: 'Try again',
};

export type Texts = typeof en;
