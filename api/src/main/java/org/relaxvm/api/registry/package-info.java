/**
 * Finding backends and function providers, and opening devices. Start at {@link
 * org.relaxvm.api.registry.BackendRegistry}; {@link org.relaxvm.api.registry.Diagnosis} is what it
 * knows of each provider, good or bad.
 */
@NullMarked
package org.relaxvm.api.registry;

import org.jspecify.annotations.NullMarked;
