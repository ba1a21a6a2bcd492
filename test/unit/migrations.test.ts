/** Released migrations are never edited, because existing databases would then differ from new ones. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../backend/src/platform/db/migrations/', import.meta.url);

/** SHA-256 of each migration. Add a line for each new migration. */
const RELEASED: Record<string, string> = {
  '0001-first.ts': '2a8d8b99c2332b45d8d2bae932a93e9bee873b5f1e04894b57f5416ad325f7f8',
  '0002-two-factor.ts': 'daaa35fe4cea23f11742ea659e67c2219f395893ddc055128c999b7093d8794b',
  '0003-template-overrides.ts': 'bbb52f6ddd361c9d08ef19c8d77a063d29d7d2d281f9261f7e6a0373b1096ccb',
  '0004-delivery-reports.ts': 'df7dc61ca9dacda939484fc5b90c2634d405433b8272e1f2e0d8bf2483553a03',
  '0005-webhooks.ts': '9c472af00802a2ab95eaf8637b8a389151679b49a81be3088cc3c5f05be3e653',
  '0006-dashboard.ts': 'bd10be7a4091e5e2b0876cc073e2394cc86f4b92c5ce3b69ab932947ecc916b2',
  '0007-message-lookup.ts': 'cee0b588ac8a0ec1ab8fc9573d967e4b63cb3107e9ccd405b0722416105b1935',
  '0008-refused-callers.ts': '30c194a03e3058225df00e61833fdaff32472fe59036969c697f95603b440ef5',
  '0009-two-factor-callers.ts': '326cd30b831e4ebe8af31f05fdda816a367da5c16c363108178f5bc282733e4e',
  '0011-ceilings.ts': '1835b63cc24dbdd2d02b0daf2f7303b99b3177c046e4ec3aef6813c9e895df75',
  '0012-passkeys.ts': 'cfea2bb488072e786a31a84290f8c9c5b1cc81d5b475352c4a888fa261ab308a',
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
};

it.each(readdirSync(folder))('%s is unchanged', (file) => {
  const text = readFileSync(new URL(file, folder));
  expect(createHash('sha256').update(text).digest('hex')).toBe(RELEASED[file]);
});
