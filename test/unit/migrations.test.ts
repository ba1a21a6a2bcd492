/** Released migrations are never edited, because existing databases would then differ from new ones. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../backend/src/platform/db/migrations/', import.meta.url);

/** SHA-256 of each migration. Add a line for each new migration. */
const RELEASED: Record<string, string> = {
  '0001-first.ts': 'b202969eba791d1847a3c392a8c3b003b764eb3cd1b06a4f9845d09a113f029a',
  '0002-two-factor.ts': 'c21ca9a96a43b847aa67f5df0bf197241b6789685a0a08f185b44fdab427671d',
  '0003-template-overrides.ts': '822f246e032d62dfb5c15434863b92b25bc0a0102460439d9484aced37cf1693',
  '0004-delivery-reports.ts': '14415cb22454f55652b913e391664be1516244bb390ce49100d744dd0b566b27',
  '0005-webhooks.ts': '52983a855bc8dc74fc67f2a26684b03a7c6313920a99fc4bd774b707f1236fb3',
  '0006-dashboard.ts': '8ffb2bb304e752def798f2f63d2cc0d0760bb9b0f6b101a5fa4722b2f4329039',
  '0007-message-lookup.ts': '1b4c41eb08dedec7ed3792908c0bed8c162a60f76631f2d36e972a4036029ca7',
  '0008-refused-callers.ts': 'c0cf38b90b413f1b936e14276e0fefa3e505a3cc8df84debebbd6ab10eb80c7f',
  '0009-two-factor-callers.ts': '326cd30b831e4ebe8af31f05fdda816a367da5c16c363108178f5bc282733e4e',
  '0011-ceilings.ts': '4eb1152e36bed296522618abda990eaa7c59d22fe8af1b0286bb0335e03d279a',
  '0012-passkeys.ts': '1b6145e141c3e930e97ed4d09b6b1da01bed824b2b75d3fa61583803968670d8',
  '0013-retention.ts': 'c30b8ace2d734d247eff8a669db41df239d42adeafbe18cf215b43aef2d02e8b',
  '0014-sign-in-link-account.ts': '8b8f46da8f34252115b40fd4aeaaf0bfbafd1314e1684103729d764dfa2e4a08',
  '0015-fraud.ts': 'f4670c8f0dd87898eb804c2eb45e5d89978e9a549d813fba692c53980082e1f8',
  '0016-fraud-notices.ts': '6c2d4b784666ffa7d57fb88d10c701f14ee12954cf03e1bf5bc82c6043d953fc',
  '0018-fraud-observations.ts': '92df18c445a204ade6511e21ca3812a4312055050af13a6941618b288ef1a379',
  '0019-providers.ts': '8a5571f70a7c2269d114f262bf5a55ee86d6621ffb5a68c7669d6a32e3e932ab',
  '0020-prices.ts': '6f53604b38e5dfb7066390c36e7b03988c639f935f43b5a0f7ff85a5f17a76c9',
  '0025-webhook-attempts.ts': 'c7e488d130910f434a1b55e650b18a05cd159ff9c927e2cdac803ad2d17e75fb',
  '0026-repeated-verification.ts': '0f92221177acacb986660cdbdc97acbf221e41ed3e77ff49d83c8b170ec6f909',
  '0027-automations.ts': 'fe315947dbbf5ec285f50dd9a77357f75c508c239472792aaa59750b3f4aaa8d',
  '0028-application-deletion.ts': 'bef039741658100f8c25b584e133b703196b335ebc88b06849b854cbc8dd5be3',
  '0029-users-and-branding.ts': '1c608aeefb572322cf57cd0a5e7ecceea48b4521273cc9d9bef1564bd4196e27',
  '0030-settings-version.ts': '45ab7e92a9d6b713bd84e184de8a8d5341bb7062e3c88eb4a21b7820e287b10f',
  '0031-repeated-guesses.ts': '61c9f7b236780303b72f88b64f16b0c790381e970a39d2a06f7f18bb4bfa4d48',
};

it.each(readdirSync(folder))('%s is unchanged', (file) => {
  const text = readFileSync(new URL(file, folder));
  expect(createHash('sha256').update(text).digest('hex')).toBe(RELEASED[file]);
});
