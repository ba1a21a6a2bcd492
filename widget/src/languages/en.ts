/** All texts of the widget in English. `{…}` are placeholders. */
export const en = {
  loading: 'Loading two-factor authentication…',
  checking: 'Checking…',

  enrolTitle: 'Set up two-factor authentication',
  enrolLead: 'Scan this QR code with an authenticator app on your phone.',
  enrolApps: 'Works with {apps} and any other authenticator app.',
  qrLabel: 'QR code for an authenticator app; the key is also available as text',
  openApp: 'Open in an app on this device',
  manualSummary: "Can't scan it?",
  manualLead: 'Enter this key in the app instead. The account is {identity}.',
  phoneLead: 'Add this account to an authenticator app on this phone.',
  openPhoneApp: 'Open your authenticator app',
  scanSummary: 'Scan with another device',
  next: 'Continue',
  back: 'Back',

  confirmTitle: 'Enter the code from your app',
  confirmLead: 'The code has six digits and changes every 30 seconds.',
  codeLabel: 'Six-digit code',
  codeHint: 'Checked as soon as you type the last digit.',
  check: 'Check the code',
  incomplete: 'Enter the whole code.',
  wrongCode:
    'This code is incorrect or was already used. Enter the code that your app shows now, or wait for the next one.',
  enrolAgain: 'This setup has expired. Remove the account from your app and add this new one.',

  savedTitle: 'Save your recovery codes',
  savedLead: "Each code lets you sign in once without your phone. You won't see them again.",
  copy: 'Copy',
  download: 'Download',
  saved: 'I have saved them',
  copied: 'Copied',
  notCopied: 'Your browser does not allow copying. The text is selected; copy it with the keyboard.',

  enterTitle: 'Two-factor authentication',
  enterLead: 'Open your authenticator app and enter the code for this site.',
  useRecovery: 'Use a recovery code',
  recoveryLead: 'Enter one of your saved recovery codes. Each code works once.',
  recoveryLabel: 'Recovery code',
  wrongRecovery: 'This recovery code is incorrect or was already used.',

  onTitle: 'Two-factor authentication is on',
  onLead: 'You are verified.',
  codesLeft: 'Recovery codes left: {count}',
  turnOff: 'Turn off',
  offTitle: 'Turn off two-factor authentication?',
  offLead: 'You will no longer be asked for a code when you sign in.',
  offCodeLead: 'Enter the code from your app to confirm that it is you.',
  keepOn: 'Keep it on',
  doneTitle: 'Two-factor authentication is off',

  lockedTitle: 'Too many attempts',
  lockedLead: 'To protect your account, wait before you try again:',

  unreachableLead: 'The service cannot be reached. Check your connection and try again.',
  brokenTitle: 'Something went wrong',
  brokenLead: 'There is a problem on our side. Try again in a moment.',
  misplacedTitle: 'Not available on this page',
  misplacedLead: "Two-factor authentication is not set up correctly on this page. Contact the site's support.",
  signInLead: 'This page has expired. Reload it or sign in again.',
  retry: 'Try again',
};

export type Texts = typeof en;
