/**
 * The compiler by names, for code that knows only the API and for remote clients: passes ({@code
 * relax.transform.*}, {@code transform.*}), compilation ({@code relax.build}) and modules ({@code
 * ir.*}, {@code relaxvm.module.*}) as packed functions, and packed functions as passes.
 *
 * <p>Source: docs/spec/object-system.md, section 2.3; docs/spec/passes.md.
 */
@NullMarked
package org.relaxvm.compiler.named;

import org.jspecify.annotations.NullMarked;
