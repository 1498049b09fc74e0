/** Tests of the kit: it is green where it should be, and red where it should be. */
@NullMarked
package org.relaxvm.backendtestkit;

import org.jspecify.annotations.NullMarked;
