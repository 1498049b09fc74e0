/**
 * A backend in plain Java that is as simple as a correct one can be: its memory is opaque, its
 * streams queue work and do it when they are synchronised, and its kernels are the slow definitions
 * of {@link org.relaxvm.backendtestkit.definition}. Start at {@link
 * org.relaxvm.backendtestkit.reference.ReferenceBackendProvider}.
 */
@NullMarked
package org.relaxvm.backendtestkit.reference;

import org.jspecify.annotations.NullMarked;
