/** The conformance kit, and what only this device does. */
@NullMarked
package com.example.metering;

import org.jspecify.annotations.NullMarked;
