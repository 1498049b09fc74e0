/**
 * The interpreter: programs decoded for speed, and the state of calls under way. Internal. Start
 * with {@link org.relaxvm.vmcore.interp.Interpreter}; {@link org.relaxvm.vmcore.interp.Engine} is
 * its front.
 */
@NullMarked
package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.NullMarked;
