/** Tests of how libraries are found. */
@NullMarked
package org.relaxvm.backendcuda.driver;

import org.jspecify.annotations.NullMarked;
