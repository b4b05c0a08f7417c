// The theme leaves its search dialog without a name for those who hear the page.
document.querySelector('[data-md-component="search"]').setAttribute("aria-label", "Search");
