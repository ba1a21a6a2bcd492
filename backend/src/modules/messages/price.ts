/** What a send costs. The operator has named no prices, so every send is free of charge. */
export const FREE = { charge: '0.0000', currency: 'usd' } as const;
