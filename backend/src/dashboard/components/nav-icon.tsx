/** The icons of the navigation: lines on a grid of 24 × 24, drawn for Passbell. */
const SHAPES: Readonly<Record<string, string>> = {
  '/home': 'M4 11 12 4l8 7v8.5H14.5V14h-5v5.5H4z',
  '/messages': 'M4 5h16v11h-9l-4.5 3.5V16H4z',
  '/usage': 'M5 20v-7M12 20V5M19 20v-10',
  '/suppressions': 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M6.5 6.5l11 11',
  '/applications': 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  '/channels':
    'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.5 18.5a9.2 9.2 0 0 1 0-13M18.5 5.5a9.2 9.2 0 0 1 0 13',
  '/people':
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 19.5a6 6 0 0 1 12 0M15.5 5a3.2 3.2 0 0 1 0 6M17.5 14.2a6 6 0 0 1 3.5 5.3',
  '/account-settings': 'M4 20V9l8-5 8 5v11zM9.5 20v-6h5v6',
  '/api-keys': 'M8 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M10.5 12.5 19 4M15 8l3.5 3.5',
  '/audit': 'M6 3.5h9l4 4v13H6zM9.5 12h6M9.5 16h6M9.5 8H12',
  '': 'M4 4.5h7v9H4zM13.5 4.5H20v5h-6.5zM13.5 12H20v7.5h-6.5zM4 16h7v3.5H4z',
  '/settings': 'M4 7h9M17 7h3M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4M4 17h3M11 17h9M9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  '/templates': 'M4.5 4.5h15v15h-15zM8 9h8M8 12.5h8M8 16h4.5',
  '/automations': 'M13 3 5.5 13.5H11L10.5 21 18.5 10H13z',
  '/protection': 'M12 3.5 19.5 6v6c0 4.5-3.2 7.3-7.5 8.5C7.7 19.3 4.5 16.5 4.5 12V6z',
  '/allow-list': 'M9 6.5h11M9 12h11M9 17.5h11M3.5 6.5l1 1 2-2M3.5 12l1 1 2-2M3.5 17.5l1 1 2-2',
  '/users': 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20a7.5 7.5 0 0 1 15 0',
  '/widget': 'M4 5h16v14H4zM4 9h16M8 14h3M14 14h2',
  '/connect': 'M9 4v5M15 4v5M6.5 9h11v2.5a5.5 5.5 0 0 1-11 0zM12 17v4',
  '/webhooks': 'M5 12a7 7 0 0 1 12-5l2 2M19 4.5V9h-4.5M19 12a7 7 0 0 1-12 5l-2-2M5 19.5V15h4.5',
  '/docs': 'M12 6.5C10 5 7 4.5 4 4.5v14c3 0 6 .5 8 2 2-1.5 5-2 8-2v-14c-3 0-6 .5-8 2zM12 6.5v14',
};

/** `path`: of the navigation entry. */
export const NavIcon = ({ path }: { readonly path: string }) => (
  <svg class="nav-icon" viewBox="0 0 24 24" width="17" height="17" aria-hidden="true" focusable="false">
    <path d={SHAPES[path]} />
  </svg>
);
