/** The Passbell app for Zapier. */
import zapier, { defineApp } from 'zapier-platform-core';
import packageJson from '../package.json' with { type: 'json' };
import authentication from './authentication.js';
import cancelMessage from './creates/cancel-message.js';
import invoiceNotification from './creates/invoice-notification.js';
import orderNotification from './creates/order-notification.js';
import revokeSession from './creates/revoke-session.js';
import sendOtp from './creates/send-otp.js';
import verifyOtp from './creates/verify-otp.js';
import verifyToken from './creates/verify-token.js';
import findMessage from './searches/find-message.js';
import findUsage from './searches/find-usage.js';
import { addCredentials, checkReply } from './service.js';
import fraudPaused from './triggers/fraud-paused.js';
import fraudRefused from './triggers/fraud-refused.js';
import recipientOptedIn from './triggers/recipient-opted-in.js';
import recipientOptedOut from './triggers/recipient-opted-out.js';
import messageAccepted from './triggers/message-accepted.js';
import messageDelivered from './triggers/message-delivered.js';
import messageFailed from './triggers/message-failed.js';
import otpCanceled from './triggers/otp-canceled.js';
import otpLocked from './triggers/otp-locked.js';
import otpVerified from './triggers/otp-verified.js';

export default defineApp({
  version: packageJson.version,
  platformVersion: zapier.version,
  flags: {
    // pickInputs() omits empty fields.
    cleanInputData: false,
    // All requests use z.request, so node:http needs no patch.
    skipHttpPatch: true,
  },
  authentication,
  beforeRequest: [addCredentials],
  afterResponse: [checkReply],
  triggers: {
    [otpVerified.key]: otpVerified,
    [otpLocked.key]: otpLocked,
    [otpCanceled.key]: otpCanceled,
    [messageAccepted.key]: messageAccepted,
    [messageDelivered.key]: messageDelivered,
    [messageFailed.key]: messageFailed,
    [fraudPaused.key]: fraudPaused,
    [fraudRefused.key]: fraudRefused,
    [recipientOptedOut.key]: recipientOptedOut,
    [recipientOptedIn.key]: recipientOptedIn,
  },
  searches: { [findMessage.key]: findMessage, [findUsage.key]: findUsage },
  creates: {
    [sendOtp.key]: sendOtp,
    [verifyOtp.key]: verifyOtp,
    [verifyToken.key]: verifyToken,
    [orderNotification.key]: orderNotification,
    [invoiceNotification.key]: invoiceNotification,
    [cancelMessage.key]: cancelMessage,
    [revokeSession.key]: revokeSession,
  },
});
