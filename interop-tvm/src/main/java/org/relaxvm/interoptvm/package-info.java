/** Runs libraries that Apache TVM exported. */
@NullMarked
package org.relaxvm.interoptvm;

import org.jspecify.annotations.NullMarked;
