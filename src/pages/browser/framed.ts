// A page in a frame: it tells the page around it how high it is.

export function startFramed(): void {
  if (window.parent !== window) new ResizeObserver(tell).observe(document.documentElement);
}

function tell(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  // Nothing is said that the page around it could not see: anybody may hear it.
  window.parent.postMessage({ type: 'athletics:height', height }, '*');
}
