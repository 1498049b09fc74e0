/**
 * The verifier: decides before anything runs that a program, whoever made it, stays within its
 * registers, constants, functions and instructions. Start at {@link
 * org.relaxvm.vmcore.verify.Verifier}; the rules themselves are in the {@code ...Rules} classes.
 */
@NullMarked
package org.relaxvm.vmcore.verify;

import org.jspecify.annotations.NullMarked;
